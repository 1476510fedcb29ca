/** Texts as Go prints a list of them: quoted, apart by spaces, in brackets. */
export function textList(texts: readonly string[]): string {
  return `[${texts.map((each) => JSON.stringify(each)).join(' ')}]`
}
