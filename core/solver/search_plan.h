// What a partition is searched with.
#ifndef TELAMALLOC_SOLVER_SEARCH_PLAN_H_
#define TELAMALLOC_SOLVER_SEARCH_PLAN_H_

#include "search/capacity_search.h"
#include "search/engines.h"

namespace telamalloc {

struct SearchPlan {
  Engines engines = Engines::kAuto;
  SearchOptions options;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_SEARCH_PLAN_H_
