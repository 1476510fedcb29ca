import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { requirements } from './requirements.ts'
import { type RunTest, type Verdict, verdictOf } from './verdict.ts'

/** Prints the result for each requirement. The exit code is 1 if one of them does not hold. */
export class AuditReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const run = modules.flatMap(testsOf)
    const counts = new Map<Verdict['state'], number>()
    for (const requirement of requirements) {
      const verdict = verdictOf(requirement, run)
      counts.set(verdict.state, (counts.get(verdict.state) ?? 0) + 1)
      const why = verdict.state === 'holds' ? '' : `\n${' '.repeat(22)}${verdict.why}`
      print(`${verdict.state.padEnd(21)} ${requirement.id}: ${requirement.says}${why}`)
    }
    const count = (state: Verdict['state']) => counts.get(state) ?? 0
    print(
      `\n${requirements.length} requirements: ${count('holds')} hold, ${count('fails')} fail, ${count('cannot be tried yet')} cannot be tried yet.`,
    )
    process.exitCode = count('fails') === 0 ? 0 : 1
  }
}

function testsOf(module: TestModule): readonly RunTest[] {
  const file = relative(process.cwd(), module.moduleId)
  return [...module.children.allTests()].map((test) => ({
    file,
    fullName: test.fullName.replaceAll(' > ', ' '),
    state: test.result().state,
  }))
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
