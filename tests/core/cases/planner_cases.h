// Instances from the tests of other planners, transcribed as numbers: TFLite and TFLite Micro, XNNPACK,
// OpenVINO, TVM, XLA, IREE, ONE, Triton, MegEngine, tinygrad, OmniMalloc. Every peak is a proven optimum.
#ifndef TELAMALLOC_TESTS_CORE_CASES_PLANNER_CASES_H_
#define TELAMALLOC_TESTS_CORE_CASES_PLANNER_CASES_H_

#include <array>

#include "core/cases/case.h"

namespace telamalloc::cases {

inline constexpr std::array kPlannerSolvable = {
    SolvableCase{"TflmGreedyMedium", kUnbounded, 80,
                 "id,lower,upper,size\nt0,0,2,10\nt1,1,3,20\nt2,2,4,30\nt3,3,5,40\nt4,0,2,50\n"},
    SolvableCase{"TflmPersonDetection", kUnbounded, 64512,
                 "id,lower,upper,size\nt0,0,30,9216\nt1,28,30,3\nt2,27,29,256\nt3,26,28,2304\nt4,25,27,2304\n"
                 "t5,24,26,2304\nt6,23,25,1152\nt7,22,24,4608\nt8,21,23,4608\nt9,20,22,4608\nt10,19,21,4608\n"
                 "t11,18,20,4608\nt12,17,19,4608\nt13,16,18,4608\nt14,15,17,4608\nt15,14,16,4608\n"
                 "t16,13,15,4608\nt17,12,14,4608\nt18,11,13,2304\nt19,10,12,9216\nt20,9,11,9216\n"
                 "t21,8,10,9216\nt22,7,9,4608\nt23,6,8,18432\nt24,5,7,18432\nt25,4,6,18432\nt26,3,5,9216\n"
                 "t27,2,4,36864\nt28,1,3,18432\nt29,0,2,18432\n"},
    SolvableCase{"TfliteGpuChain", kUnbounded, 96,
                 "id,lower,upper,size\nt0,0,2,16\nt1,1,3,8\nt2,2,4,64\nt3,3,5,32\nt4,4,6,8\n"},
    SolvableCase{"PisarchykExampleXnnpackNativert", kUnbounded, 124,
                 "id,lower,upper,size\nt0,0,2,32\nt1,1,5,28\nt2,2,6,36\nt3,3,6,16\nt4,4,6,8\nt5,5,8,64\n"
                 "t6,6,9,10\nt7,7,9,40\n"},
    SolvableCase{"OpenvinoInefficiency", kUnbounded, 5,
                 "id,lower,upper,size\nt0,6,8,3\nt1,2,6,2\nt2,5,9,2\nt3,2,4,2\n"},
    SolvableCase{"OpenvinoOverlappingBoxes", kUnbounded, 6,
                 "id,lower,upper,size\nt0,6,8,4\nt1,2,6,3\nt2,5,9,2\nt3,2,4,2\n"},
    SolvableCase{"OpenvinoAlexnet", kUnbounded, 580800,
                 "id,lower,upper,size\nt0,0,2,154587\nt1,1,3,290400\nt2,2,4,290400\nt3,3,5,290400\n"
                 "t4,4,6,69984\nt5,5,7,186624\nt6,6,8,186624\nt7,7,9,186624\nt8,8,10,43264\nt9,9,11,64896\n"
                 "t10,10,12,64896\nt11,11,13,64896\nt12,12,14,64896\nt13,13,15,43264\nt14,14,16,43264\n"
                 "t15,15,17,9216\nt16,16,18,4069\nt17,17,19,4069\nt18,18,20,4069\nt19,19,21,4069\n"
                 "t20,20,22,1000\nt21,21,23,1000\n"},
    SolvableCase{"TvmUsmpResnetBlock", kUnbounded, 7200256,
                 "id,lower,upper,size\nsid_2,0,8,720000\npad0,1,3,720000\nacc0,2,3,256\nsid_8,2,4,720000\n"
                 "pad1,3,5,758912\nacc1,4,5,256\nsid_7,4,6,720000\npad2,5,7,720000\nacc2,6,7,256\n"
                 "sid_6,6,9,5760000\npad3,7,9,720000\nacc3,8,9,256\n"},
    SolvableCase{"TvmUsmpLinear", kUnbounded, 1117718,
                 "id,lower,upper,size\nsid_9,0,2,301056\npad,1,3,314646\nacc,2,3,256\nsid_8,2,4,802816\n"
                 "tensor_2,3,5,200704\n"},
    SolvableCase{"XlaDecreasingSize", kUnbounded, 100,
                 "id,lower,upper,size\nt0,0,5,10\nt1,1,6,30\nt2,2,7,20\nt3,3,8,40\n"},
    SolvableCase{"XlaColocatedAsHole", kUnbounded, 40, "id,lower,upper,size\nt0,0,2,40\nt1,2,6,20\n"},
    SolvableCase{"XlaPreferredOffsets", kUnbounded, 30,
                 "id,lower,upper,size,offset\na,6,11,5,5\nb,3,6,10,\nc,2,9,5,\nd,0,3,5,\ne,11,14,10,10\n"
                 "f,3,6,5,20\ng,4,9,10,\n"},
    SolvableCase{"IreeLayoutStatic", kUnbounded, 420,
                 "id,lower,upper,size,alignment\nt0,0,2,100,16\nt1,1,3,100,16\nt2,2,4,100,16\nt3,0,5,200,16\n"
                 "t4,5,7,200,16\nt5,5,9,100,16\n"},
    SolvableCase{"OnertFirstFitSequence", kUnbounded, 120,
                 "id,lower,upper,size\nm0,0,3,10\nm1,1,15,20\nm2,2,8,30\nm3,4,19,20\nm4,5,11,5\nm5,6,20,10\n"
                 "m6,7,14,5\nm7,9,21,35\nm8,10,16,10\nm9,12,17,10\nm10,13,18,10\n"},
    SolvableCase{"TritonMultiColor", kUnbounded, 1376,
                 "id,lower,upper,size\nt0,1,7,64\nt1,2,17,32\nt2,3,21,128\nt3,5,6,1152\nt4,7,8,128\n"
                 "t5,9,10,1152\nt6,10,22,256\nt7,11,14,64\nt8,14,15,512\nt9,15,25,128\nt10,17,18,512\n"
                 "t11,18,19,32\nt12,19,20,512\nt13,22,23,1152\n"},
    SolvableCase{"MegenginePushdownChain", kUnbounded, 9,
                 "id,lower,upper,size\nt0,0,2,1\nt1,1,3,2\nt2,2,4,3\nt3,3,5,4\nt4,4,6,5\n"},
    SolvableCase{"TinygradSimpleBuffer", kUnbounded, 48,
                 "id,lower,upper,size\nb0,0,1,16\nb1,0,2,16\nb2,0,4,16\nb3,1,3,16\nb4,2,3,16\nb5,3,4,16\n"},
    SolvableCase{"SmallBCap6", kUnbounded, 6,
                 "id,lower,upper,size\n0,0,4,2\n1,2,6,2\n2,0,2,3\n3,4,6,3\n4,1,5,1\n"},
    SolvableCase{"SmallDCap9", kUnbounded, 9,
                 "id,lower,upper,size\n0,0,5,3\n1,3,8,3\n2,0,3,4\n3,5,8,4\n4,2,6,1\n5,1,7,1\n"},
    SolvableCase{"SmallFCap14", kUnbounded, 14,
                 "id,lower,upper,size\n0,0,5,4\n1,0,6,3\n2,1,6,2\n3,5,8,5\n4,2,8,4\n5,1,2,5\n"},
};

}  // namespace telamalloc::cases

#endif  // TELAMALLOC_TESTS_CORE_CASES_PLANNER_CASES_H_
