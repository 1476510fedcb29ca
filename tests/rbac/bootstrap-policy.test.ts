import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bootstrapPolicy, componentPolicy, systemNamespacePolicy } from '../../src/auth/rbac/bootstrap.ts'
import { policyLines } from './policy-lines.ts'

/** The roles and bindings of `kube-apiserver` 1.32.4 after its first start, one paragraph each. */
const expected = paragraphs(readFileSync(join(import.meta.dirname, 'kubernetes-1.32.txt'), 'utf8'))

const ours = new Map(
  [...bootstrapPolicy(), ...componentPolicy(), ...systemNamespacePolicy()].map((object) => {
    const [title = '', ...lines] = policyLines(object)
    return [title, lines]
  }),
)

describe('a cluster that runs workloads starts with the roles and bindings of Kubernetes', () => {
  it.each([...expected])('%s', (title, lines) => {
    expect(ours.get(title)).toEqual(lines)
  })

  it('and with no others', () => {
    expect([...ours.keys()].sort()).toEqual([...expected.keys()].sort())
  })
})

function paragraphs(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  let lines: string[] = []
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith(' ')) lines.push(line.trim())
    else {
      lines = []
      found.set(line, lines)
    }
  }
  return found
}
