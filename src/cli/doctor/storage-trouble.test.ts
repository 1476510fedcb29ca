import { describe, expect, it } from 'vitest'
import { troubleInHealth, troubleInLog } from './storage-trouble.ts'

describe('the report of a virtual cluster about a full disk', () => {
  it.each<[string, string, string | undefined]>([
    ['nothing', '[+]ping ok\n[+]storage-writes ok\nlivez check passed\n', undefined],
    [
      'that writes are refused',
      '[+]ping ok\n[!]storage-writes trouble: the disk of the store is full and nothing was changed\nlivez check passed\n',
      'the disk of the store is full and nothing was changed',
    ],
    ['trouble of another kind', '[!]audit trouble: the disk of the store is full\n', undefined],
  ])('while it runs: %s', (_, text, trouble) => {
    expect(troubleInHealth(text)).toBe(trouble)
  })

  it.each<[string, string, string | undefined]>([
    ['nothing', '{"level":30,"msg":"linked to the platform"}\n', undefined],
    [
      'the last of several',
      'Error: the disk of /a is full (ENOSPC)\nError: the disk of /var/lib/tenant is full (ENOSPC): free some space there, then start again\n',
      'the disk of /var/lib/tenant is full (ENOSPC): free some space there, then start again',
    ],
    [
      'in a line of JSON',
      '{"msg":"the disk of /b is full: free some space","x":1}\n',
      'the disk of /b is full: free some space',
    ],
  ])('when it does not start: %s', (_, text, trouble) => {
    expect(troubleInLog(text)).toBe(trouble)
  })

  it('and is limited in length', () => {
    expect(troubleInLog(`the disk of ${'x'.repeat(1_000)} is full`)).toHaveLength(400)
  })
})
