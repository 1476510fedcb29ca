import { quoted } from '../api/human/go-syntax.ts'
/** Texts as Go prints a list of them: quoted, apart by spaces, in brackets. */
export function textList(texts: readonly string[]): string {
  return `[${texts.map(quoted).join(' ')}]`
}
