import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { expect, it } from 'vitest'
import { builtCli } from '../support/programs/built-cli.ts'

const full = '/dev/full'

it.skipIf(!existsSync(full)).each(['completion bash', 'create demo --dry-run', '--help'])(
  'tenant %s fails if there is no room for its output',
  (words) => {
    const stdout = openSync(full, 'w')
    try {
      const stdio = ['ignore', stdout, 'pipe'] as const
      const { status, stderr } = spawnSync(process.execPath, [builtCli(), ...words.split(' ')], {
        stdio: [...stdio],
        encoding: 'utf8',
      })
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('output goes to is full') })
    } finally {
      closeSync(stdout)
    }
  },
)
