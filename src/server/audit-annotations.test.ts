import { describe, expect, it } from 'vitest'
import { AuditAnnotations, printAnnotations, readAnnotations } from './audit-annotations.ts'

function annotated(...entries: readonly (readonly [string, string])[]): AuditAnnotations {
  const annotations = new AuditAnnotations()
  for (const [key, value] of entries) annotations.add(key, value)
  return annotations
}

describe('annotations of a request', () => {
  it('keep the first value of a key', () => {
    expect(annotated(['a.io/k', '1'], ['a.io/k', '2'], ['b.io/k', '3']).all).toEqual({ 'a.io/k': '1', 'b.io/k': '3' })
  })

  it.each(['k', 'a.io/', '/k', 'a.io/b/c', 'A.io/k', 'a.io/k k', `a.io/${'k'.repeat(64)}`, 'a.io/__proto__'])(
    'have no key like %j',
    (key) => {
      expect(annotated([key, 'v']).all).toEqual({})
    },
  )

  it('are limited in number and size', () => {
    const many = annotated(...Array.from({ length: 100 }, (_, index) => [`a.io/k${index}`, 'v'] as const))
    expect(Object.keys(many.all)).toHaveLength(50)
    const large = annotated(...['a', 'b', 'c'].map((key) => [`a.io/${key}`, 'x'.repeat(10_000)] as const), [
      'a.io/d',
      'v',
    ])
    expect(Object.values(large.all).map(({ length }) => length)).toEqual([2_048, 1])
    expect(annotated(['a.io/k', '\0'.repeat(2_000)]).all).toEqual({})
  })

  it('pass through a header unchanged', () => {
    const annotations = annotated(['a.io/k', 'größe \ud83d\ude00\r\n'], ['b.io/k', '"'])
    expect(printAnnotations(annotations)).toMatch(/^[\w-]+$/)
    expect(readAnnotations(printAnnotations(annotations))).toEqual(Object.entries(annotations.all))
  })

  it.each(['', 'e30', 'bnVsbA', 'W10', 'Im5vIg', '{', 'x'.repeat(100_000)])('are empty for %j', (text) => {
    expect(readAnnotations(text)).toEqual([])
  })
})
