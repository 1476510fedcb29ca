import { describe, expect, it } from 'vitest'
import { ProviderTurns } from './provider-turns.ts'

/** A provider that answers on demand. */
function slowProvider() {
  const turns = new ProviderTurns()
  const asked: string[] = []
  const answers: (() => void)[] = []
  const ask = (owner: string, uid = 'corp', signal = new AbortController().signal) =>
    turns.take(uid, { owner, signal }, async () => {
      asked.push(owner)
      await new Promise<void>((resolve) => answers.push(resolve))
      return 'answered'
    })
  return { asked, answers, ask }
}

describe('sign-ins at a slow provider', () => {
  it('from one network leave capacity to other networks and providers', async () => {
    const { asked, answers, ask } = slowProvider()
    const flood = Array.from({ length: 300 }, () => ask('stranger').catch(({ code }) => code))
    const [user, elsewhere] = [ask('office'), ask('office', 'another')]
    await Promise.resolve()
    expect(asked.filter((owner) => owner === 'stranger')).toHaveLength(8)
    expect(asked.filter((owner) => owner === 'office')).toHaveLength(2)
    for (const answer of answers) answer()
    expect(await Promise.all([user, elsewhere])).toEqual(['answered', 'answered'])
    expect(await Promise.race(flood.slice(-1))).toBe('too-many')
  })

  it('are canceled when their browser disconnects', async () => {
    const { asked, answers, ask } = slowProvider()
    const gone = new AbortController()
    const first = Array.from({ length: 8 }, () => ask('stranger'))
    const left = ask('stranger', 'corp', gone.signal)
    gone.abort()
    await expect(left).rejects.toMatchObject({ code: 'unavailable' })
    for (const answer of answers) answer()
    await Promise.all(first)
    expect(asked).toHaveLength(8)
  })
})
