/**
 * Characters that are invisible but have an effect: controls, which move the cursor, set colors, name windows or fill
 * the clipboard; characters that reverse the direction of a line; and zero-width characters, which make different texts
 * look the same.
 */
export const unseenCharacters =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\u034f|[\u115f\u1160\u3164\uffa0]|[\u17b4\u17b5]|[\u180b-\u180f]/gu

/** Replaces each of them. */
const stand = '\ufffd'

/** Makes text from others harmless to display. */
export function visible(text: string): string {
  return text.replace(unseenCharacters, stand)
}

/** Like `visible` for text with several lines, or with columns separated by tabs. */
export function visibleLines(text: string): string {
  return text.replace(unseenCharacters, (character) => (character === '\n' || character === '\t' ? character : stand))
}

export function hasUnseen(text: string): boolean {
  return text.search(unseenCharacters) >= 0
}

/** Equivalent JSON: such characters occur only in its strings, and line breaks only between values. */
export function escapedJson(json: string): string {
  return json.replace(unseenCharacters, (character) => (character === '\n' ? character : utf16Escapes(character)))
}

/** An equivalent YAML text in double quotes. */
export function escapedYaml(yaml: string): string {
  return yaml.replace(unseenCharacters, (character) => (character === '\n' ? character : utf32Escape(character)))
}

function utf16Escapes(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
    .join('')
}

function utf32Escape(character: string): string {
  const point = character.codePointAt(0) ?? 0
  return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`
}

function hex(value: number, length: number): string {
  return value.toString(16).padStart(length, '0')
}
