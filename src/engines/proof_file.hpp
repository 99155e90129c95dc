#pragma once

#include "bnnplan/base/output_file.hpp"
#include "bnnplan/cdcl/proof_writer.hpp"
#include "bnnplan/engines/engine.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::engines {

// The proof that a request asks for, while it is being written: about the problem's model as `encode --to
// opb` writes it. Nothing remains on disk without commit().
class ProofFile {
 public:
  ProofFile(const Problem& problem, const model::ModelLayout& layout, const EngineRequest& request);

  cdcl::ProofWriter& writer() { return writer_; }
  void commit() { file_.commit(); }

 private:
  OutputFile file_;
  cdcl::ProofWriter writer_;
};

}  // namespace bnnplan::engines
