import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** docs/glossary.md says which words to use instead. The glossary itself names the unwanted ones. */
const unwanted =
  /\b(whoever|somebody|nobody|everybody|anybody|someone|no one|licences?|behaviour|colour|neighbour|towards|afterwards)\b/i
const exempt = new Set(['docs/glossary.md', 'tests/words.test.ts'])

it('prose uses the words of the glossary', () => {
  const read = ['src', 'console', 'docs', 'bench', 'deploy', '*.md', ':!*.test.ts', ':!*/node_modules/*']
  const files = execFileSync('git', ['ls-files', ...read], { encoding: 'utf8' })
    .trim()
    .split('\n')
  const lines = files
    .filter((file) => /\.(ts|tsx|md|js|yaml|txt)$/.test(file) && !exempt.has(file))
    .flatMap((file) => linesOf(file).filter((line) => unwanted.test(line.replaceAll('noBody', ''))))
  expect(files.length).toBeGreaterThan(1_000)
  expect(lines).toEqual([])
})

function linesOf(file: string): readonly string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.map((line, index) => `${file}:${index + 1}: ${line.trim()}`)
}
