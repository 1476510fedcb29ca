/** Where in a YAML document a line stands, by its indent: the names of the maps around it. `-` stands for an item. */
export function pathAtLine(lines: readonly string[], at: number): readonly string[] {
  const path: string[] = []
  let indent = indentOf(lines[at] ?? '')
  for (let number = at - 1; number >= 0 && indent > 0; number -= 1) {
    const line = lines[number] ?? ''
    const found = /^( *)((?:- +)*)(?:([\w./-]+|"[^"]*"):)?/.exec(line)
    if (found === null || line.trim() === '' || line.trim().startsWith('#')) continue
    const [, spaces = '', dashes = '', name] = found
    const nameIndent = spaces.length + dashes.length
    if (name !== undefined && nameIndent < indent && /:\s*(#.*)?$/.test(line)) {
      path.unshift(name.replaceAll('"', ''))
      indent = nameIndent
    }
    if (dashes !== '' && spaces.length < indent) {
      path.splice(0, 0, '-')
      indent = spaces.length + (name === undefined ? 0 : 1)
    }
  }
  return path
}

/** Of what is written, an item's dash included. */
function indentOf(line: string): number {
  return /^ *(?:- +)*/.exec(line)?.[0].length ?? 0
}
