// What the thread sanitizer must not report in Debian's gRPC and Abseil, which are not instrumented.
//
// gRPC hands work from thread to thread with atomics that the sanitizer does not see. Its libraries' own
// accesses are left out by library. Its templates are compiled into our binaries: those are left out where
// they are at the top of a stack, so that our code further down, or up, is still checked.
extern "C" const char*
__tsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)

extern "C" const char*
__tsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)
  return "called_from_lib:libgrpc.so\n"
         "called_from_lib:libgrpc++.so\n"
         "called_from_lib:libgpr.so\n"
         "called_from_lib:libupb.so\n"
         "called_from_lib:libabsl_cord.so\n"
         "called_from_lib:libabsl_graphcycles_internal.so\n"
         "called_from_lib:libabsl_malloc_internal.so\n"
         "called_from_lib:libabsl_status.so\n"
         "called_from_lib:libabsl_synchronization.so\n"
         "called_from_lib:libabsl_time.so\n"
         "called_from_lib:libabsl_time_zone.so\n"
         "race_top:grpc::\n"
         "race:grpc::internal::CallbackWithStatusTag::CallbackWithStatusTag\n"
         "race:grpc::internal::CallbackWithSuccessTag::Set\n"
         "race:ServerCallbackUnaryImpl::~ServerCallbackUnaryImpl\n"
         // The client takes status and message of an answer; neither calls back into code of ours.
         "race:grpc::internal::CallOpClientRecvStatus::FinishOp\n"
         "race:grpc::internal::CallOpRecvMessage\n"
         "race:grpc::internal::InterceptorBatchMethodsImpl::\n"
         // The first thing that a callback of gRPC's looks at.
         "race_top:std::function<void (bool)>\n"
         "race_top:std::_Function_base::_M_empty\n";
}
