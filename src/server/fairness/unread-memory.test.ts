import { describe, expect, it } from 'vitest'
import { UnreadMemory } from './unread-memory.ts'

function worldOf(limits: { readonly perOwner: number; readonly total: number }) {
  const memory = new UnreadMemory(limits)
  const cut: string[] = []
  const open = (owner: string, name: string) => memory.open(owner, () => cut.push(name))
  return { memory, cut, open }
}

describe('memory for readers who are behind', () => {
  it('of one owner ends the stream that holds most, and no other owner notices', () => {
    const { memory, cut, open } = worldOf({ perOwner: 100, total: 1_000 })
    open('bob', 'b').set(90)
    open('ann', 'small').set(20)
    open('ann', 'large').set(60)
    open('ann', 'new').set(30)
    expect(cut).toEqual(['large'])
    expect([memory.heldBy('ann'), memory.heldBy('bob'), memory.bytes]).toEqual([50, 90, 140])
  })

  it('of all is taken from the owner who holds most', () => {
    const { memory, cut, open } = worldOf({ perOwner: 100, total: 150 })
    open('mallory', 'm1').set(40)
    open('mallory', 'm2').set(50)
    open('ann', 'a').set(45)
    open('bob', 'b').set(30)
    expect(cut).toEqual(['m2'])
    expect(memory.bytes).toBe(115)
  })

  it('is released by readers that have caught up, or ended', () => {
    const { memory, cut, open } = worldOf({ perOwner: 100, total: 100 })
    const [first, second] = [open('ann', '1'), open('ann', '2')]
    first.set(80)
    first.set(0)
    second.set(80)
    second.close()
    second.close()
    second.set(80)
    expect([memory.bytes, memory.heldBy('ann'), cut]).toEqual([0, 0, []])
  })
})
