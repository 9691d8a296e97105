#include "server/request_id.h"

#include <grpcpp/support/string_ref.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace telamalloc::server {
namespace {

std::string IdFor(const std::string& id) { return RequestIdOf({{kRequestIdKey, id}}); }

TEST(RequestId, KeepsAHarmlessOne) {
  EXPECT_EQ(IdFor("build-42:net/7.a_B"), "build-42:net/7.a_B");
  EXPECT_EQ(IdFor(std::string(64, 'x')), std::string(64, 'x'));
}

TEST(RequestId, ReplacesAnyOther) {
  for (const std::string& id : {std::string(), std::string(65, 'x'), std::string("a b"), std::string("a\nb"),
                                std::string("<b>"), std::string("\xC3\xA4")}) {
    EXPECT_NE(IdFor(id), id);
    EXPECT_EQ(IdFor(id).size(), 16U);
  }
}

TEST(RequestId, MakesADifferentOneEachTime) { EXPECT_NE(RequestIdOf({}), RequestIdOf({})); }

}  // namespace
}  // namespace telamalloc::server
