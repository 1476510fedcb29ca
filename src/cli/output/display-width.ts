const unseen = /\p{Mark}|\p{Default_Ignorable_Code_Point}/u
const wide =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\uff01-\uff60]/u

/** How many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  let width = 0
  for (const character of text) width += character < '\u0300' ? 1 : widthOf(character)
  return width
}

function widthOf(character: string): number {
  if (unseen.test(character)) return 0
  return wide.test(character) ? 2 : 1
}
