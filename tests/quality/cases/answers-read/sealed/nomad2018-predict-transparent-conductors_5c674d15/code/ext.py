from torch.utils.cpp_extension import load_inline

SRC = r"""
#include <torch/extension.h>
class Lattice {
 public:
  double volume() const { return a_ * b_ * c_; }
 private:
  double a_, b_, c_;
};
torch::Tensor answers(torch::Tensor x) { return x * 2; }
"""
JAVA = "public class Reader { private static final String path = \"/home/data/test.csv\"; }"
mod = load_inline("lattice", SRC, functions=["answers"])
print(mod.answers.__name__)
