import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ownProgram } from './own-program.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'tenant-own-program-')))
afterAll(() => rmSync(root, { recursive: true }))

const script = join(root, 'main.js')
const [own, others] = [join(root, 'own'), join(root, 'others')]
writeFileSync(script, '')
for (const directory of [own, others]) mkdirSync(directory)
symlinkSync(script, join(own, 'tenant'))
writeFileSync(join(others, 'tenant'), '')

const byPlace = { command: '/bin/node', args: [script] }
const byName = { command: 'tenant', args: [] }

it.each([
  ['its name leads here', own, byName],
  ['its name leads here, behind directories without it', `${root}::${own}`, byName],
  ['its name leads to another program first', `${others}:${own}`, byPlace],
  ['it is not installed', root, byPlace],
  ['nothing is', '', byPlace],
])('is run by a path that also works later: %s', async (_name, PATH, expected) => {
  const running = { execPath: '/bin/node', argv: ['/bin/node', join(own, 'tenant')] }
  expect(await ownProgram(running, { PATH })).toEqual(expected)
})
