/**
 * What is not shown but acted on: controls, which move the cursor, color, name windows or fill the clipboard; characters
 * that turn the direction of a line around; and those that take no room, so that two texts look the same and are not.
 */
export const unseenCharacters =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\u034f|[\u115f\u1160\u3164\uffa0]|[\u17b4\u17b5]|[\u180b-\u180f]/gu

/** Stands for one of them. */
const stand = '\ufffd'

/** Texts come from other people: nothing in one does anything but being read. */
export function visible(text: string): string {
  return text.replace(unseenCharacters, stand)
}

/** The same for several lines, and for what is set in columns by tabs. */
export function visibleLines(text: string): string {
  return text.replace(unseenCharacters, (character) => (character === '\n' || character === '\t' ? character : stand))
}

export function hasUnseen(text: string): boolean {
  return text.search(unseenCharacters) >= 0
}

/** JSON that says the same: in it such characters are only in texts, and lines end between them. */
export function escapedJson(json: string): string {
  return json.replace(unseenCharacters, (character) => (character === '\n' ? character : utf16Escapes(character)))
}

/** A text in double quotes of YAML that says the same. */
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
