import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'

function logged(act: (log: ReturnType<typeof createLog>) => void): string {
  let text = ''
  act(createLog({ level: 'debug', format: 'text', write: (line) => (text += line) }))
  return text
}

describe('the log on a terminal', () => {
  it('shows the time, the level, the message and the fields', () => {
    const text = logged((log) =>
      log.child({ server: 'host' }).warn('slow', { path: '/api/v1', took: 3, why: 'too much' }),
    )
    expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3}Z WARN {2}slow server=host path=\/api\/v1 took=3 why="too much"\n$/)
  })

  it('shows the message of an error on the line, and its stack below', () => {
    const text = logged((log) => log.error('failed', { error: new Error('broken') }))
    expect(text).toMatch(/^\S+ ERROR failed error=broken\n {4}at .*log-text\.test\.ts/)
    expect(
      text
        .trimEnd()
        .split('\n')
        .slice(1)
        .every((line) => line.startsWith('    at ')),
    ).toBe(true)
  })

  it('accepts fields named like its own', () => {
    expect(logged((log) => log.info('x', { time: 'noon', level: 'high', msg: 'y' }))).toContain('noon')
  })

  it('never shows credentials', () => {
    expect(
      logged((log) => log.info('request', { authorization: 'secret-1', headers: { cookie: 'secret-2' } })),
    ).not.toContain('secret-')
  })

  it.each([
    ['a message', (log: ReturnType<typeof createLog>, text: string) => log.info(text)],
    ['a field', (log: ReturnType<typeof createLog>, text: string) => log.info('x', { user: text })],
    ['the name of a field', (log: ReturnType<typeof createLog>, text: string) => log.info('x', { [text]: 1 })],
    ['an object', (log: ReturnType<typeof createLog>, text: string) => log.info('x', { of: { deep: [text] } })],
    ['an error', (log: ReturnType<typeof createLog>, text: string) => log.info('x', { error: new Error(text) })],
    ['an error of another form', (log: ReturnType<typeof createLog>, text: string) => log.info('x', { error: text })],
  ])('%s with control characters has no effect: no color, no second line, no reversed direction', (_name, act) => {
    const text = logged((log) =>
      act(log, 'a\u001b[31mred\u001b]0;t\u0007\r\n12:00:00.000Z INFO  forged \u009b2J\u202eabc'),
    )
    const [first = '', ...places] = text.trimEnd().split('\n')
    expect(first).toContain('forged')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is that the output has none
    expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
    expect(places.every((line) => line.startsWith('    at '))).toBe(true)
  })
})
