import type { Evidence, NamedTest, Requirement } from './contract.ts'

/** The file with the checks that exist only for the audit; each has the title of its requirement. */
export const checksFile = 'tests/audit/checks.test.ts'

type Row = readonly [id: string, says: string, ...evidence: readonly Evidence[]]

/** Requirements of one section, from rows. A row without evidence is shown by the check with its title. */
export function section(number: string, rows: readonly Row[]): readonly Requirement[] {
  return rows.map(([name, says, ...given]) => {
    const id = `${number} ${name}`
    return { id, says, evidence: given.length === 0 ? by(checksFile, `[${id}]`) : joined(given) }
  })
}

export function by(file: string, ...names: readonly string[]): Evidence {
  return { type: 'tests', tests: names.map((name): NamedTest => ({ file, name })) }
}

/** A test of a suite whose tests build on one another. */
export function byStory(file: string, story: string): (name: string) => Evidence {
  return (name) => ({ type: 'tests', tests: [{ file, name, story }] })
}

/** A test of a suite that runs for several pairs of clusters; the embedded pair counts. */
export function byPairing(suite: string, name: string): Evidence {
  return byPart('tests/sync/pairings/embedded-embedded.test.ts', `tests/sync/suite/${suite}.ts`, name)
}

/** A test in a file beside the one that runs it. */
export function byPart(file: string, writtenIn: string, name: string): Evidence {
  return { type: 'tests', tests: [{ file, name, writtenIn }] }
}

export function notYet(why: string): Evidence {
  return { type: 'not yet', why }
}

function joined(evidence: readonly Evidence[]): Evidence {
  const waits = evidence.find(({ type }) => type === 'not yet')
  if (waits !== undefined) return waits
  return { type: 'tests', tests: evidence.flatMap((each) => (each.type === 'tests' ? each.tests : [])) }
}
