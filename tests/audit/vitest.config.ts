import { mergeConfig } from 'vitest/config'
import base from '../../vitest.config.ts'
import { AuditReporter } from './reporter.ts'
import { requirements } from './requirements.ts'
import { patternOf } from './verdict.ts'

const named = requirements.flatMap(({ evidence }) => (evidence.type === 'tests' ? evidence.tests : []))
const patterns = new Set(named.map(({ name, story = name }) => patternOf(story)))

/** `npm run audit`: runs the tests that show the requirements, and prints the result for each. */
export default {
  ...base,
  test: {
    ...mergeConfig(base, { test: { testNamePattern: new RegExp([...patterns].join('|')) } }).test,
    include: [...new Set(named.map(({ file }) => file))],
    reporters: [new AuditReporter()],
  },
}
