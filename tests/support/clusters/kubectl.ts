import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { findKubernetes, testTools } from './kubernetes-programs.ts'

/** One unmodified kubectl. */
export interface KubectlBinary {
  /** How tests name it, for example `kubectl 1.32`. */
  readonly name: string
  readonly command: string
  readonly minor: number
}

const currentCommand = join(testTools, 'kubectl/usr/bin/kubectl')
const oldMinor = 20
/** From this version on a kubectl counts as current: it sends protobuf. */
const currentMinor = 32

let found: readonly KubectlBinary[] | undefined

/**
 * The kubectls of the tests, the newest first, one per version: a current one, the old one of the real control plane,
 * and those that `TENANT_TEST_KUBECTLS` names. Other installed ones are ignored.
 */
export function findKubectls(): readonly KubectlBinary[] {
  found ??= search()
  return found
}

function search(): readonly KubectlBinary[] {
  const named = (process.env.TENANT_TEST_KUBECTLS ?? '').split(delimiter).filter((command) => command !== '')
  const kubernetes = findKubernetes()
  const old = kubernetes.outcome === 'found' ? [join(dirname(kubernetes.programs.apiServer), 'kubectl')] : []
  const binaries = [...named, ...[currentCommand, ...old].filter((command) => existsSync(command))].map(describeBinary)
  const byMinor = new Map(binaries.map((binary) => [binary.minor, binary]))
  return [...byMinor.values()].sort((left, right) => right.minor - left.minor)
}

/** The kubectls that the suite requires and that are missing, and how to get them. */
export function missingKubectls(kubectls: readonly KubectlBinary[]): readonly string[] {
  return [
    ...(kubectls.some(({ minor }) => minor >= currentMinor)
      ? []
      : [`kubectl 1.${currentMinor} or newer is missing: tests/support/fetch-kubectl puts it at ${currentCommand}`]),
    ...(kubectls.some(({ minor }) => minor === oldMinor)
      ? []
      : [`kubectl 1.${oldMinor} is missing: tests/support/fetch-kubernetes unpacks one`]),
  ]
}

function describeBinary(command: string): KubectlBinary {
  const output = execFileSync(command, ['version', '--client', '-o', 'json'], { encoding: 'utf8' })
  const minor = Number.parseInt(JSON.parse(output).clientVersion.minor, 10)
  return { name: `kubectl 1.${minor}`, command, minor }
}
