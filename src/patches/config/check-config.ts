import type { ConfigDocument } from '../../api/tenant-config/document.ts'
import { parseTenantConfig } from '../../api/tenant-config/parse.ts'
import type { Problem } from '../../api/tenant-config/problem.ts'
import type { TenantConfig } from '../../api/tenant-config/types.ts'
import type { YamlLimits } from '../../base/json/yaml-compose.ts'
import { lineText } from '../../base/yaml-source/lines.ts'
import { patchProblemsOf } from '../config-problems.ts'

export interface CheckedConfig {
  readonly document: ConfigDocument
  /** Absent if there are errors. */
  readonly config?: TenantConfig
  /** Errors and warnings, in the order of the text. */
  readonly problems: readonly Problem[]
}

/** All checks of a tenant.yaml that do not run it. Our own files may be longer than those of others. */
export function checkConfig(text: string, name: string, limits?: YamlLimits): CheckedConfig {
  const parsed = parseTenantConfig(text, name, limits)
  const { document } = parsed
  const patchProblems = patchProblemsOf(document).map((problem) => withCommentHint(problem, document))
  const problems = inOrder([...('problems' in parsed ? parsed.problems : parsed.warnings), ...patchProblems])
  if ('problems' in parsed || patchProblems.length > 0) return { document, problems }
  return { document, problems, config: parsed.config }
}

export function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((left, right) => left.line - right.line || left.column - right.column)
}

/** ` #` starts a comment in a value without quotes, and the rest of an expression then makes no sense. */
function withCommentHint(problem: Problem, { source }: ConfigDocument): Problem {
  const rest = lineText(source.lines, problem.line).slice(problem.column - 1 + problem.length)
  if (problem.suggestion !== undefined || !/^[ \t]+#/.test(rest)) return problem
  return { ...problem, suggestion: 'what follows # is a comment; put the whole value in quotes' }
}
