// The four shipped domains, on transitions worked out by hand.
#include <gtest/gtest.h>

#include "rddl/rddl_text.hpp"

namespace bnnplan::rddl {
namespace {

using testing::Scene;
using testing::shipped;

TEST(Navigation, MovesAndIsStoppedByWallsAndObstacles) {
  Simulator simulator = shipped("navigation_3x3");
  Scene scene(simulator);
  EXPECT_EQ(scene["robot-at[x2| y1]"], 1);
  EXPECT_EQ(scene.step({"up"})["robot-at[x2| y1]"], 1) << "an obstacle above";
  EXPECT_EQ(scene.step({"down"})["robot-at[x2| y1]"], 1) << "the wall below";
  EXPECT_EQ(scene.step()["robot-at[x2| y1]"], 1);
  EXPECT_EQ(scene.step({"left"})["robot-at[x1| y1]"], 1);
  EXPECT_EQ(scene["robot-at[x2| y1]"], 0);
  EXPECT_EQ(scene.step({"left"})["robot-at[x1| y1]"], 1) << "the wall on the left";
  EXPECT_EQ(scene.step({"up"})["robot-at[x1| y2]"], 1);
  EXPECT_EQ(scene.step({"right"})["robot-at[x1| y2]"], 1) << "an obstacle on the right";
  EXPECT_EQ(scene.step({"up"})["robot-at[x1| y3]"], 1);
  EXPECT_FALSE(simulator.goal_reached(scene.state));
  EXPECT_EQ(scene.step({"right"})["robot-at[x2| y3]"], 1);
  EXPECT_TRUE(simulator.goal_reached(scene.state));
}

TEST(Navigation, OneMoveAtATimeAndItsReward) {
  Simulator simulator = shipped("navigation_3x3");
  Scene scene(simulator);
  EXPECT_TRUE(scene.legal());
  EXPECT_TRUE(scene.set("up", 1).legal());
  EXPECT_EQ(simulator.reward(scene.state, scene.action, scene.state), make_rational(-1));
  EXPECT_FALSE(scene.set("left", 1).legal());
  EXPECT_EQ(simulator.illegal_because(scene.state, scene.action),
            "constraint at " + testing::domain_file("navigation.rddl").string() + ":41:5");
  EXPECT_NE(simulator.broken_invariant(scene.set("robot-at[x1| y1]", 1).state), "");
}

TEST(Inventory, DemandThenOrder) {
  Simulator simulator = shipped("inventory_2");
  Scene scene(simulator);
  const auto expect = [&](std::int64_t stock, bool met, std::int64_t month) {
    EXPECT_EQ(scene["stock"], stock);
    EXPECT_EQ(scene["threshold-met"], met ? 1 : 0);
    EXPECT_EQ(scene["month"], month);
  };
  scene.step({"order"});
  expect(5, true, 1);  // demand 0 met, 5 ordered
  scene.step();
  expect(2, true, 0);  // 5 - 3
  scene.step();
  expect(2, true, 1);
  scene.step();
  expect(0, true, 0);  // missed by 1
  scene.step();
  expect(0, true, 1);
  scene.step();
  expect(0, false, 0);  // missed by 3
  EXPECT_FALSE(scene.legal()) << "the threshold must be met";
  scene.set("stock", 13).step({"order"});
  expect(15, false, 1);  // 13 left over is too much, and only 2 of 5 fit
  scene.set("stock", 5).set("month", 0).step();
  expect(5, false, 1);
}

TEST(Inventory, FourMonths) {
  Simulator simulator = shipped("inventory_4");
  Scene scene(simulator);
  scene.set("stock", 3).set("month", 2).step();
  EXPECT_EQ(scene["stock"], 1);
  EXPECT_EQ(scene["threshold-met"], 1);
  EXPECT_EQ(scene["month"], 3);
  EXPECT_EQ(scene.step({"order"})["stock"], 5);
  EXPECT_EQ(scene["month"], 0);
  EXPECT_EQ(scene["threshold-met"], 1) << "missed by 2";
}

TEST(Sysadmin, AgesStopsAndIsRebooted) {
  Simulator simulator = shipped("sysadmin_4");
  Scene scene(simulator);
  scene.step({"reboot[c2]"});
  EXPECT_EQ(scene["age[c1]"], 1);
  EXPECT_EQ(scene["age[c2]"], 0);
  EXPECT_EQ(scene["running[c1]"], 1);
  scene.step();
  EXPECT_EQ(scene["age[c1]"], 2);
  EXPECT_EQ(scene["running[c1]"], 1);
  scene.step({"reboot[c3]"});
  EXPECT_EQ(scene["age[c1]"], 3);
  EXPECT_EQ(scene["running[c1]"], 0) << "age 2 is not below MAX-AGE - 1";
  EXPECT_EQ(scene["running[c2]"], 1);
  EXPECT_EQ(scene["running[c3]"], 1);
  EXPECT_EQ(scene["age[c3]"], 0);
  EXPECT_FALSE(scene.legal());
  scene.step();
  EXPECT_EQ(scene["age[c1]"], 0) << "does not age while it is down";
  EXPECT_EQ(scene["running[c1]"], 0);
  Scene reboots(simulator);
  EXPECT_TRUE(reboots.set("reboot[c1]", 1).set("reboot[c2]", 1).legal());
  EXPECT_FALSE(reboots.set("reboot[c3]", 1).legal()) << "at most two at once";
}

TEST(Sysadmin, TheNeighbourTermIsExact) {
  // With MAX-AGE = 5 it decides: age 3, one of one neighbours running: 3 (1 - 1/2) = 1.5 is not below 1.5.
  const std::string instance = R"(
    non-fluents n { domain = sysadmin; objects { computer : {c1, c2}; };
                    non-fluents { LINK(c1, c2); MAX-AGE = 5; }; }
    instance i { domain = sysadmin; non-fluents = n; init-state { age(c1) = 3; }; })";
  Simulator simulator(
      ground(link_rddl(read_rddl(testing::domain_file("sysadmin.rddl")), parse_rddl(instance, "i.rddl"))));
  Scene scene(simulator);
  EXPECT_EQ(scene.step()["running[c1]"], 0);
  Scene younger(simulator);
  EXPECT_EQ(younger.set("age[c1]", 2).step()["running[c1]"], 1) << "2 (1 - 1/2) = 1";
  Scene alone(simulator);
  EXPECT_EQ(alone.set("age[c1]", 2).set("running[c2]", 0).step()["running[c1]"], 0) << "2 (1 - 0) = 2";
}

void place(Scene& scene, std::int64_t agent_x, std::int64_t agent_y, std::int64_t enemy_x,
           std::int64_t enemy_y) {
  scene.set("agent-x", agent_x).set("agent-y", agent_y).set("enemy-x", enemy_x).set("enemy-y", enemy_y);
}

void expect_at(const Scene& scene, std::int64_t agent_x, std::int64_t agent_y, std::int64_t enemy_x,
               std::int64_t enemy_y) {
  EXPECT_EQ(scene["agent-x"], agent_x);
  EXPECT_EQ(scene["agent-y"], agent_y);
  EXPECT_EQ(scene["enemy-x"], enemy_x);
  EXPECT_EQ(scene["enemy-y"], enemy_y);
}

TEST(Cellda, TheEnemyFollowsTheNewPosition) {
  Simulator along_x = shipped("cellda_x"), along_y = shipped("cellda_y");
  Scene x(along_x), y(along_y);
  expect_at(x, 0, 0, 3, 0);
  x.step({"move-up"});
  expect_at(x, 0, 1, 2, 0);
  y.step({"move-up"});
  expect_at(y, 0, 1, 3, 1);
  y.step();
  expect_at(y, 0, 1, 2, 1);
  y.step();
  expect_at(y, 0, 1, 2, 1);  // the block (1, 1) is in its way
  place(x, 2, 0, 2, 3);
  x.step();
  expect_at(x, 2, 0, 2, 2);  // x is the same, so along y
}

TEST(Cellda, BlocksWallsAndTheKey) {
  Simulator simulator = shipped("cellda_y");
  Scene scene(simulator);
  scene.step({"move-left"});
  expect_at(scene, 0, 0, 2, 0);
  place(scene, 0, 1, 3, 3);
  scene.step({"move-right"});
  expect_at(scene, 0, 1, 3, 2);  // a block on the right
  place(scene, 1, 3, 3, 0);
  EXPECT_EQ(scene.step({"move-down"})["has-key"], 1) << "a block below, so it stays where the key is";
  expect_at(scene, 1, 3, 3, 1);
  scene.set("has-key", 0);
  place(scene, 0, 3, 3, 0);
  EXPECT_EQ(scene.step({"move-right"})["has-key"], 1);
  EXPECT_EQ(scene.step({"move-right"})["has-key"], 1) << "he keeps it";
  expect_at(scene, 2, 3, 3, 2);
}

TEST(Cellda, DiesCoordinateByCoordinateAndStaysDead) {
  Simulator simulator = shipped("cellda_x");
  Scene scene(simulator);
  place(scene, 2, 0, 3, 0);
  EXPECT_EQ(scene.step({"move-right"})["alive"], 0) << "onto the enemy";
  expect_at(scene, 3, 0, 3, 0);
  EXPECT_FALSE(scene.legal());
  scene.set("enemy-x", 1).step({"move-up"});
  expect_at(scene, 3, 0, 1, 0);
  EXPECT_EQ(scene["alive"], 0);
  Scene same(simulator);
  place(same, 2, 0, 2, 0);
  EXPECT_EQ(same.step({"move-up"})["alive"], 0) << "leaving the enemy's cell";
  Scene beside(simulator);
  place(beside, 2, 0, 3, 1);
  EXPECT_EQ(beside.step({"move-right"})["alive"], 1) << "y differs";
  EXPECT_EQ(beside["enemy-y"], 0) << "and then it is there, but only now";
}

TEST(Cellda, GoalNeedsKeyDoorAndLife) {
  Simulator simulator = shipped("cellda_y");
  Scene scene(simulator);
  place(scene, 3, 3, 0, 0);
  EXPECT_FALSE(simulator.goal_reached(scene.state));
  scene.set("has-key", 1);
  EXPECT_TRUE(simulator.goal_reached(scene.state));
  scene.set("alive", 0);
  EXPECT_FALSE(simulator.goal_reached(scene.state));
}

}  // namespace
}  // namespace bnnplan::rddl
