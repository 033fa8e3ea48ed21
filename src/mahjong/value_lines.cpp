// Reads wins from standard input, one a line (tests/mahjong/wins.txt says how they are written),
// and writes what each is worth.

#include <iostream>
#include <string>

#include "base/error.h"
#include "mahjong/win_line.h"

int main() {
  try {
    for (std::string line; std::getline(std::cin, line);)
      std::cout << ippatsu::mahjong::worth(ippatsu::mahjong::win_from_line(line)) << '\n';
  } catch (const ippatsu::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
