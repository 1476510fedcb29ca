import { quoted } from '../api/human/go-syntax.ts'
/** Texts as Go prints a list: quoted, separated by spaces, in brackets. */
export function textList(texts: readonly string[]): string {
  return `[${texts.map(quoted).join(' ')}]`
}
