// Small inputs that users of memory planners tripped over, rebuilt as numbers.
#ifndef TELAMALLOC_TESTS_CORE_CASES_USER_CASES_H_
#define TELAMALLOC_TESTS_CORE_CASES_USER_CASES_H_

#include <array>

#include "core/cases/case.h"

namespace telamalloc::cases {

inline constexpr std::array kUserSolvable = {
    SolvableCase{"EmptyProblem", 0, 0, "id,lower,upper,size\n"},
    SolvableCase{"ZeroSizeTensor", kUnbounded, 64, "id,lower,upper,size\na,0,2,32\nmarker,0,4,0\nb,1,3,32\n"},
    SolvableCase{"CrlfLineEnds", 12, 12, "id,lower,upper,size\r\na,0,2,8\r\nb,0,2,4\r\n"},
    SolvableCase{"ByteOrderMark", 12, 12,
                 "\xEF\xBB\xBF"
                 "id,lower,upper,size\na,0,2,8\nb,0,2,4\n"},
    SolvableCase{"NegativeTime", kUnbounded, 96,
                 "id,lower,upper,size\nwarmup,-3,1,64\na,-1,2,32\nb,1,4,64\n"},
    SolvableCase{"AreaOverflows", kUnbounded, 2199023255552,
                 "id,lower,upper,size\na,0,1099511627776,1099511627776\n"
                 "b,549755813888,2199023255552,1099511627776\n"},
    SolvableCase{"FourGibWrap", kUnbounded, 4294967296,
                 "id,lower,upper,size\npad,0,2,2147483648\nconv,1,3,2147483648\n"},
    SolvableCase{"TouchingLifetimesShare", kUnbounded, 64, "id,lower,upper,size\na,0,4,64\nb,4,8,64\n"},
    SolvableCase{"ScratchWithInputAndOutput", kUnbounded, 22528,
                 "id,lower,upper,size\nin,1,3,9216\nout,2,4,9216\nscratch,2,3,4096\n"},
    SolvableCase{"TwoOutputsStayApart", kUnbounded, 192,
                 "id,lower,upper,size\nx,0,3,64\ncopy_of_x,1,9,64\ny,2,9,64\n"},
    SolvableCase{"HoleInLifetime", kUnbounded, 64,
                 "id,lower,upper,size,gaps\nkv,0,8,64,3-5\nburst,3,5,64,\n"},
    SolvableCase{"NestedSubmodules", kUnbounded, 200,
                 "id,lower,upper,size\nroot,0,10,100\nchild0,1,5,60\ngrandchild,2,4,40\nchild1,6,9,80\n"},
    SolvableCase{"CarryAndTwoTemporaries", 98304, 98304,
                 "id,lower,upper,size\noi_0,0,3,32768\ncur_oi,1,4,32768\noi_scaled,2,5,32768\n"
                 "cur_scaled,3,5,32768\noi_1,4,7,32768\n"},
    SolvableCase{"AlignmentNotPowerOfTwo", kUnbounded, 22,
                 "id,lower,upper,size,alignment\na,0,2,7,1\nb,0,2,10,12\nc,0,2,5,20\n"},
    SolvableCase{"AlignmentLargerThanCapacity", 100, 96, "id,lower,upper,size,alignment\ndma,0,2,96,4096\n"},
    SolvableCase{"PinIsHonoured", kUnbounded, 20,
                 "id,lower,upper,size,offset\np,0,4,8,4\na,0,4,4,\nb,0,4,8,\n"},
    SolvableCase{"SameAddressAtDifferentTimes", 196608, 196608,
                 "id,lower,upper,size,offset\nmm_res_b,0,2,65536,131072\ntopk_tmp,2,4,65536,131072\n"
                 "acc,0,4,131072,\n"},
    SolvableCase{"ReservedPrefix", 1499136, 1499136,
                 "id,lower,upper,size,offset\nfirmware,0,3,103712,0\na,0,2,700000,\nb,1,3,695424,\n"},
    SolvableCase{"OneBigOverTwoDead", kUnbounded, 400,
                 "id,lower,upper,size\nA,0,2,200\nB,0,2,200\nC,2,4,400\n"},
    SolvableCase{"ArrayAndFourScalars", kUnbounded, 16,
                 "id,lower,upper,size\ne,0,1,16\na,1,2,4\nb,1,2,4\nc,1,2,4\nd,1,2,4\n"},
    SolvableCase{"LeadingGapIsReused", kUnbounded, 180,
                 "id,lower,upper,size\nA,0,2,100\nB,1,3,80\nC,2,4,60\n"},
    SolvableCase{"FirstFitEatsTheBigHole", 40960, 40960,
                 "id,lower,upper,size\nX1,0,1,16384\nS1,0,4,8192\nX2,0,1,8192\nS2,0,4,8192\nN1,1,4,8192\n"
                 "N2,2,4,16384\n"},
    SolvableCase{"AllSimpleOrdersMiss", 13, 13,
                 "id,lower,upper,size\nb0,2,3,6\nb1,0,2,5\nb2,5,7,2\nb3,1,4,3\nb4,6,7,2\nb5,4,5,6\nb6,1,5,2\n"
                 "b7,0,1,6\nb8,0,3,2\n"},
    SolvableCase{"ScaledByTen", 130, 130,
                 "id,lower,upper,size\nb0,2,3,60\nb1,0,2,50\nb2,5,7,20\nb3,1,4,30\nb4,6,7,20\nb5,4,5,60\n"
                 "b6,1,5,20\nb7,0,1,60\nb8,0,3,20\n"},
    SolvableCase{"RowsShuffled", 13, 13,
                 "id,lower,upper,size\nb1,0,2,5\nb5,4,5,6\nb6,1,5,2\nb0,2,3,6\nb8,0,3,2\nb4,6,7,2\nb7,0,1,6\n"
                 "b2,5,7,2\nb3,1,4,3\n"},
    SolvableCase{"MeasuredAtFullSize", kUnbounded, 80,
                 "id,lower,upper,size\nq,0,2,48\nk,1,3,32\nv,2,4,48\no,3,5,32\n"},
    SolvableCase{"MeasuredThenShrunk", kUnbounded, 72,
                 "id,lower,upper,size\nq,0,2,48\nk,1,3,24\nv,2,4,40\no,3,5,32\n"},
    SolvableCase{"TwoIslandsInTime", kUnbounded, 100,
                 "id,lower,upper,size\na,0,2,40\nb,1,3,60\nc,10,12,70\nd,11,13,30\ne,20,21,99\n"},
};

inline constexpr std::array kUserInfeasible = {
    InfeasibleCase{"AlignmentPaddingDoesNotFit", 160, 168,
                   "id,lower,upper,size,alignment\na,0,2,40,64\nb,0,2,40,64\nc,0,2,40,64\n"},
    InfeasibleCase{"PinBeyondCapacity", 128, 160, "id,lower,upper,size,offset\np,0,2,64,96\na,0,2,32,\n"},
    InfeasibleCase{"PeakLiveNotReachable", 4, 5,
                   "id,lower,upper,size\na,0,1,2\nb,0,2,2\nc,1,3,1\nd,1,4,1\ne,2,4,1\nf,3,5,2\ng,4,6,2\n"},
    InfeasibleCase{"NeededAvailableExcess", 2097152, 2228224,
                   "id,lower,upper,size\nact0,0,2,1179648\nact1,1,3,1048576\n"},
    InfeasibleCase{"WhoIsLiveAtThePeak", 1024, 1200,
                   "id,lower,upper,size\na,0,6,400\nb,1,3,200\nc,2,8,500\nd,5,9,300\ne,7,9,100\n"},
    InfeasibleCase{"OneByteShort", 127, 128, "id,lower,upper,size\na,0,2,64\nb,1,3,64\nc,2,4,64\n"},
};

inline constexpr std::array kUserRefused = {
    RefusedCase{"EndBeforeStart", "buffers[1].end", "id,lower,upper,size\na,0,4,32\nb,5,3,16\n"},
    RefusedCase{"EndMinusOneMeansForever", "buffers[1].end", "id,lower,upper,size\nw,0,4,32\nstate,1,-1,2\n"},
    RefusedCase{"DuplicateId", "buffers[2].id",
                "id,lower,upper,size\npool0,0,4,512\npool1,1,3,256\npool0,2,6,512\n"},
    RefusedCase{"NegativeSize", "buffers[0].size", "id,lower,upper,size\na,0,2,-16\nb,0,2,32\n"},
    RefusedCase{"MissingSizeColumn", "missing column size", "id,lower,upper\na,0,2\nb,1,3\n"},
    RefusedCase{"OffsetMinusOneSentinel", "buffers[0].fixed_offset",
                "id,lower,upper,size,offset\na,0,4,64,-1\nb,0,4,64,0\n"},
    RefusedCase{"SizeOverInt64", "row 2, column size", "id,lower,upper,size\na,0,2,9223372036854775808\n"},
    RefusedCase{"AlignmentZero", "buffers[0].alignment",
                "id,lower,upper,size,alignment\na,0,2,16,0\nb,0,2,16,8\n"},
    RefusedCase{"PinBreaksOwnAlignment", "buffers[0].fixed_offset",
                "id,lower,upper,size,alignment,offset\nrtp,0,4,64,64,100\nx,0,4,64,64,\n"},
    RefusedCase{"PinsCollideWhileLive", "circular_buffers",
                "id,lower,upper,size,offset\ncircular_buffers,0,4,1151872,0\nl1_tensor,2,6,65536,1149952\n"},
    RefusedCase{"GapOutsideLifetime", "buffers[0].gaps[0]",
                "id,lower,upper,size,gaps\na,0,8,64,9-11\nb,0,4,32,\n"},
    RefusedCase{"GapWindowBiggerThanBuffer", "buffers[0].gaps[0].window",
                "id,lower,upper,size,gaps\na,0,8,64,2-4@0:96\nb,0,4,32,\n"},
    RefusedCase{"SumOverInt64", "sizes live together",
                "id,lower,upper,size\na,0,2,4611686018427387904\nb,0,2,4611686018427387904\n"
                "c,0,2,4611686018427387904\n"},
};

}  // namespace telamalloc::cases

#endif  // TELAMALLOC_TESTS_CORE_CASES_USER_CASES_H_
