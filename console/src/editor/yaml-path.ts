interface Line {
  /** Column of the first dash, or of the text. */
  readonly start: number
  readonly isItem: boolean
  /** Column of the text after the dash. */
  readonly inner: number
  /** For a line that opens a block: `name:` with nothing after it. */
  readonly opens: string | undefined
}

const shape = /^( *)((?:- +|-$)?)(?:([\w./-]+|"[^"]*"):\s*(?:#.*)?$)?/

function readLine(text: string): Line | undefined {
  if (text.trim() === '' || text.trim().startsWith('#')) return undefined
  const [, spaces = '', dash = '', name] = shape.exec(text) ?? []
  const start = spaces.length
  return { start, isItem: dash !== '', inner: start + dash.length, opens: name?.replaceAll('"', '') }
}

/** The path of a line in a YAML document, by its indent: the names of the enclosing blocks. `-` stands for an item. */
export function pathAtLine(lines: readonly string[], at: number): readonly string[] {
  const text = lines[at] ?? ''
  const own = readLine(text) ?? { start: text.length, isItem: false }
  const path: string[] = own.isItem ? ['-'] : []
  let column = own.start
  /** Whether the name of a list is searched, which may be in the same column as its items. */
  let isInList = own.isItem
  for (let number = at - 1; number >= 0 && (column > 0 || isInList); number -= 1) {
    const line = readLine(lines[number] ?? '')
    if (line === undefined) continue
    const isAround = isInList ? line.inner <= column && !(line.isItem && line.start === column) : line.inner < column
    const beginsItem = !isInList && line.isItem && line.inner === column
    if (line.opens !== undefined && isAround) path.unshift(line.opens)
    else if (!beginsItem) continue
    if (line.isItem) path.unshift('-')
    column = line.start
    isInList = line.isItem
  }
  return path
}
