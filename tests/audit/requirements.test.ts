import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Requirement, sectionOf, sections } from './contract.ts'
import { requirements, silentSections } from './requirements.ts'
import { verdictOf } from './verdict.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const named = requirements.flatMap(({ id, evidence }) =>
  evidence.type === 'tests' ? evidence.tests.map((each) => ({ id, ...each })) : [],
)

describe('the list of requirements', () => {
  test('has requirements for every section of the specification', () => {
    const asking = sections.filter((section) => !silentSections.includes(section))
    expect([...new Set(requirements.map(sectionOf))].sort()).toEqual([...asking].sort())
    expect(requirements.length).toBeGreaterThan(200)
  })

  test('names each requirement once', () => {
    const ids = requirements.map(({ id }) => id)
    expect(ids.filter((id, position) => ids.indexOf(id) !== position)).toEqual([])
  })

  test('names existing tests', () => {
    const source = (file: string) => (existsSync(`${root}${file}`) ? readFileSync(`${root}${file}`, 'utf8') : '')
    const missing = named.filter(
      ({ file, name, story = name, writtenIn = file }) =>
        source(file) === '' || !source(writtenIn).includes(name) || !source(writtenIn).includes(story),
    )
    expect(missing).toEqual([])
  })

  test('gives a reason for each requirement that cannot be tested yet', () => {
    const waiting = requirements.flatMap(({ evidence }) => (evidence.type === 'not yet' ? [evidence.why] : []))
    expect(waiting.length).toBeGreaterThan(0)
    for (const why of waiting) expect(why).toMatch(/single sign-on/)
  })
})

describe('the verdict on a requirement', () => {
  const evidence = { type: 'tests' as const, tests: [{ file: 'a.test.ts', name: 'is refused with %s' }] }
  const requirement: Requirement = { id: '1 x', says: '', evidence }
  const ran = (fullName: string, state: 'passed' | 'failed' | 'skipped') => [{ file: 'a.test.ts', fullName, state }]

  test.each([
    ['holds when its test has passed', ran('a key is refused with two owners', 'passed'), 'holds'],
    ['fails when its test has failed', ran('a key is refused with two owners', 'failed'), 'fails'],
    ['fails when its test was skipped', ran('a key is refused with two owners', 'skipped'), 'fails'],
    ['fails when its test is not there', ran('a key is taken', 'passed'), 'fails'],
    ['fails when its test is elsewhere', [{ ...ran('is refused with x', 'passed')[0], file: 'b.test.ts' }], 'fails'],
  ])('%s', (_, run, state) => {
    expect(verdictOf(requirement, run as Parameters<typeof verdictOf>[1]).state).toBe(state)
  })
})
