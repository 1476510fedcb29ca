import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'

function logged(act: (log: ReturnType<typeof createLog>) => void): readonly Record<string, unknown>[] {
  const lines: string[] = []
  act(createLog({ write: (line) => lines.push(line) }))
  return lines.map((line) => JSON.parse(line))
}

describe('the log', () => {
  it('writes one line of JSON with its fields', () => {
    const [line] = logged((log) => log.child({ part: 'server' }).warn('slow', { path: '/x' }))
    expect(line).toMatchObject({ level: 40, msg: 'slow', part: 'server', path: '/x' })
  })

  it('omits messages below its level', () => {
    expect(logged((log) => log.debug('detail'))).toEqual([])
  })

  it('never shows credentials or bodies', () => {
    const secret = 'tpk_secret'
    const [line] = logged((log) =>
      log.info('request', {
        authorization: secret,
        body: secret,
        headers: { authorization: secret, cookie: secret },
        request: { headers: { authorization: secret }, body: secret },
      }),
    )
    expect(JSON.stringify(line)).not.toContain(secret)
  })

  it('logs an error with its stack', () => {
    const [line] = logged((log) => log.error('failed', { error: new Error('broken') }))
    expect(line?.error).toMatchObject({ message: 'broken', stack: expect.stringContaining('log.test.ts') })
  })
})
