import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Members that are spread from an inline literal are not checked: a wrong name would go unnoticed. */
it('object members are written so that the compiler checks for excess properties', () => {
  const folders = ['src', 'console', 'bench', 'tests']
  const files = execFileSync('git', ['ls-files', ...folders], { encoding: 'utf8' })
    .trim()
    .split('\n')
  const sources = files.filter((file) => /\.tsx?$/.test(file))
  expect(sources.length).toBeGreaterThan(1000)
  const spread = ['...', '{'].join('')
  expect(sources.filter((file) => readFileSync(file, 'utf8').includes(spread))).toEqual([])
})
