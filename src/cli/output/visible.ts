// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const unseen = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Texts come from other people: nothing in one moves the cursor, changes colours or turns the line around. */
export function visible(text: string): string {
  return text.replace(unseen, '?')
}
