#include "bnnplan/network/model_record.hpp"

#include <gtest/gtest.h>

#include "bnnplan/network/network_file.hpp"

namespace bnnplan {
namespace {

Network small_network() {
  Network network{{"a", "x"}, {"x'"}, {}};
  network.layers.push_back({{Neuron{{1, -1}, 1}}});
  return network;
}

ModelRecord some_record() {
  ModelRecord record;
  record.data_file = "data.csv";
  record.data_fingerprint = "0123456789abcdef";
  record.transitions = 20000;
  record.distinct = 1800;
  record.contradictory = 3;
  record.learned_by = "cover, few inputs, seed 0";
  record.parts.push_back({"train", 0, 18000, 0, 18000, {}});
  record.parts.push_back({"unseen", 12, 5321, 14, 5321, {{"x'", 12}}});
  return record;
}

TEST(ModelRecord, ComesBackFromTheFile) {
  Network network = small_network();
  network.record = {"imported from x.onnx"};
  set_model_record(network, some_record());
  const Network read = parse_network(network_text(network), "n.bnn");
  EXPECT_EQ(read, network);
  EXPECT_EQ(read.record.front(), "imported from x.onnx");
  ModelRecord expected = some_record();
  expected.network_fingerprint = network_fingerprint(small_network());
  EXPECT_EQ(model_record(read), expected);
  EXPECT_EQ(record_claim(read),
            "its file says: wrong on 12 of 5321 unseen transitions, 0 of 18000 in training (learned from "
            "20000 transitions)");
}

TEST(ModelRecord, IsReplacedAndNotRepeated) {
  Network network = small_network();
  set_model_record(network, some_record());
  const Network once = network;
  set_model_record(network, some_record());
  EXPECT_EQ(network, once);
}

TEST(ModelRecord, OfAnotherNetworkIsNotBelieved) {
  Network network = small_network();
  set_model_record(network, some_record());
  network.layers[0].neurons[0].threshold = 2;
  EXPECT_EQ(record_claim(network).rfind("its record belongs to another network", 0), 0u);
}

TEST(ModelRecord, NoneAndStrangeLines) {
  Network network = small_network();
  EXPECT_FALSE(model_record(network));
  EXPECT_EQ(record_claim(network), "");
  network.record = {"errors unseen: 99999999999999999999999 of none", "wrong unseen: ", "errors ",
                    "network fingerprint: x"};
  ASSERT_TRUE(model_record(network));
  EXPECT_EQ(model_record(network)->parts.at(0).wrong, 0u);
  EXPECT_NE(record_claim(network), "");
  network.record = {"network fingerprint: " + network_fingerprint(network)};
  EXPECT_EQ(record_claim(network), "its file does not state its errors");
}

}  // namespace
}  // namespace bnnplan
