// Characters that no installed font shows: found by drawing them beside some that cannot exist.

const SIDE = 32;
const SIZE = 24;
// Never assigned, or for nobody to assign: what a browser draws for them, it draws for a lack.
const NOWHERE = ["\u{3fffd}", "\u{3fffc}"];
const NOWHERE_OF_FOUR_DIGITS = "\u2fe0";
// What has a shape of its own: no marks, no spaces, nothing invisible.
const DRAWN = /[\p{L}\p{N}\p{P}\p{S}\p{Co}\p{Cn}]/u;

export async function missingGlyphs(text, fontFamily) {
  const font = `${SIZE}px ${fontFamily}`;
  // Fonts of the page are fetched only for the scripts that occur.
  await document.fonts.load(font, text).catch(() => undefined);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.font = font;
  const draw = (character) => {
    pen.clearRect(0, 0, SIDE, SIDE);
    pen.fillText(character, 2, 26);
    return pen.getImageData(0, 0, SIDE, SIDE).data.join();
  };
  const width = (character) => pen.measureText(character).width;
  const characters = [...new Set(Array.from(text))].filter((one) => one > "\u036f" && DRAWN.test(one));
  const [box, otherBox] = NOWHERE.map(draw);
  if (box === otherBox) return characters.filter((one) => draw(one) === box);
  // Here a box holds the digits of its code point, so boxes are told by their width. An ideograph
  // that is there is as wide as the letters are high.
  const wide = [width(NOWHERE_OF_FOUR_DIGITS), width(NOWHERE[0])];
  return characters.filter((one) => {
    const code = one.codePointAt(0);
    return code > 0x2e7f && width(one) !== SIZE && width(one) === wide[code > 0xffff ? 1 : 0];
  });
}

export function codePointName(character) {
  return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}
