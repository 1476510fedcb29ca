/** One block of commands of a guide, and the guide's text about it. */
export interface Step {
  /** The line of the block's first command. */
  readonly line: number
  readonly commands: string
  /** The output in the guide; `…` stands for anything. */
  readonly output?: string
  /** Whether the block is repeated until it prints the output. */
  readonly eventually: boolean
  /** The exit code of its last command. */
  readonly exitCode: number
}

interface Remarks {
  readonly instead?: string
  readonly eventually: boolean
  readonly exitCode: number
  readonly skipped: boolean
  readonly onNode: boolean
}

/** The blocks of a guide to run: those that need a cluster with nodes, or all others. */
export type GuidePart = 'on a node' | 'anywhere'

interface Block {
  readonly language: string
  readonly line: number
  readonly text: string
  /** The text between the previous block and this one. */
  readonly before: string
}

/**
 * The steps of a guide in Markdown. Comments that readers do not see say what a test does another way:
 *
 *     <!-- instead: COMMANDS -->   runs these, since the block needs the reader's machine
 *     <!-- eventually -->          runs the block again until it prints what the guide shows
 *     <!-- exit: 1 -->             expects the last command to fail
 *     <!-- on a node -->           runs the block where Pods run, and not with the others
 *
 * A block that cannot be run at all says so to readers, in the paragraph before it: `*Not run by the tests: REASON.*`
 */
export function stepsOf(markdown: string, part: GuidePart = 'anywhere'): readonly Step[] {
  const blocks = blocksOf(markdown)
  return blocks.flatMap((block, index) => {
    if (block.language !== 'sh') return []
    const { instead, skipped, onNode, ...rest } = remarksIn(block.before)
    if (skipped || onNode !== (part === 'on a node')) return []
    const next = blocks[index + 1]
    const isShown = next?.language === 'text' && next.before.trim() === ''
    return [{ ...rest, line: block.line, commands: instead ?? block.text, ...(isShown && { output: next.text }) }]
  })
}

function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = []
  let before: string[] = []
  let open: { language: string; line: number; lines: string[] } | undefined
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open === undefined && line.startsWith('```')) {
      open = { language: line.slice(3).trim(), line: index + 2, lines: [] }
    } else if (open !== undefined && line === '```') {
      blocks.push({ language: open.language, line: open.line, text: open.lines.join('\n'), before: before.join('\n') })
      open = undefined
      before = []
    } else {
      const place = open?.lines ?? before
      place.push(line)
    }
  }
  if (open !== undefined) throw new Error(`line ${open.line}: the block has no end`)
  return blocks
}

function remarksIn(text: string): Remarks {
  const instead = /<!-- instead:\s+([\s\S]*?)\s*-->/.exec(text)?.[1]
  return {
    ...(instead !== undefined && { instead }),
    eventually: text.includes('<!-- eventually -->'),
    exitCode: Number(/<!-- exit: (\d+) -->/.exec(text)?.[1] ?? 0),
    skipped: text.includes('*Not run by the tests: '),
    onNode: text.includes('<!-- on a node -->'),
  }
}

/** Whether an output contains the lines of a guide, in order; `…` is anything, and columns may be wider. */
export function shows(output: string, expected: string): boolean {
  const lines = output.split('\n').map(narrow)
  let from = 0
  return expected.split('\n').every((line) => {
    const pattern = patternOf(line)
    const found = lines.findIndex((each, index) => index >= from && pattern.test(each))
    from = found + 1
    return found !== -1
  })
}

function patternOf(line: string): RegExp {
  const parts = narrow(line).split('…')
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`)
}

function narrow(line: string): string {
  return line.trim().replace(/\s+/g, ' ')
}
