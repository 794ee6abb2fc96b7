// SPDX-License-Identifier: MIT
import { expect, test } from "vitest";
import { csv, csvField, isolate, lessPercent, percent, percentDigits, points, quantity, reductionText, shorten, teamKey, visible } from "../../src/format";

test("a fraction becomes a percentage, and a missing one a dash", () => {
  expect(percent(0.9691, 2)).toBe("96.91 %");
  expect(percent(null)).toBe("–");
  expect(percent(0, 0)).toBe("0 %");
});

test("a difference always carries a sign, and nothing is neither up nor down", () => {
  expect(points(0.0044)).toBe("+0.44");
  expect(points(-0.0044)).toBe("−0.44");
  expect(points(0.000001)).toBe("±0.00");
  expect(points(-0)).toBe("±0.00");
});

test("nearly everything is not everything, as the command says it", () => {
  expect([0.125, 0.9984, 0.99999, 1, -1, -0.125, 0.001, -0.001].map(reductionText)).toEqual(
    ["−13 %", "−99.8 %", "−99.999 %", "−100 %", "+100 %", "+13 %", "±0 %", "±0 %"]);
  expect([0.5, 0.9979, 1, null].map(lessPercent)).toEqual(["50 %", "99.8 %", "100 %", "–"]);
});

test("more samples carry more digits", () => {
  expect([140, 1000, 10_000, 50_000].map(percentDigits)).toEqual([1, 1, 2, 2]);
});

test("quantities carry three significant digits and a unit", () => {
  expect([1.25e6, 25.6e6, 138.4e6, 7.73, 0, 1234, 7.84e-6].map(quantity)).toEqual(["1.25 M", "25.6 M", "138 M", "7.73", "0", "1.23 k", "7.84e-6"]);
});

test("teams are spelled as the command spells them", () => {
  expect(teamKey([0, 2, 11])).toBe("0,2,11");
});

test("shortening keeps both ends and never splits a character", () => {
  expect(shorten("resnet_basic_110", 40)).toBe("resnet_basic_110");
  expect(shorten("abcdefghij", 5)).toBe("ab…ij");
  expect(shorten("😀".repeat(9), 5)).toBe("😀😀…😀😀");
});

test("a hostile name cannot turn or break the text around it", () => {
  expect(isolate("evil\u202Egpj.exe")).toBe("\u2068evilgpj.exe\u2069");
  expect(isolate("a\nb\u0000c")).toBe("\u2068a b c\u2069");
  expect(visible("a\u009bb\u200f\u061c\u2067c")).toBe("a bc");
});

test("a CSV field is quoted when it must be and never becomes a formula", () => {
  expect(csvField('say "hi", twice')).toBe('"say ""hi"", twice"');
  expect(csvField("=SUM(A1)")).toBe("'=SUM(A1)");
  expect(csvField(-0.5)).toBe("-0.5");
  expect(csv([["a", 1], ["b\nc", 2]])).toBe('a,1\r\n"b\nc",2\r\n');
});
