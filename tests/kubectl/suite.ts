import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Kind } from '../../src/api/kind.ts'
import { findKubectls, type KubectlBinary } from '../support/clusters/kubectl.ts'
import { type Kubectl, platformKinds, startKubectl } from './kubectl.ts'

type Test = (title: string, test: () => Promise<void>) => void

/** Kubectl as tests see it. It exists once they run, not yet while they are declared. */
export interface KubectlSuite extends Omit<Kubectl, 'stop'> {
  readonly minor: number
  /** `it` for a feature of this minor version; with an older kubectl the test is skipped and its title says why. */
  since(minor: number, feature: string): Test
  /** `it` for the behavior of kubectls before this minor version. */
  before(minor: number, feature: string): Test
}

/**
 * The same tests for every installed kubectl, each with a separate server and home directory. The tests of a suite run
 * concurrently, so each uses its own objects.
 */
export function eachKubectl(
  subject: string,
  tests: (kubectl: KubectlSuite) => void,
  kinds: readonly Kind[] = platformKinds(),
): void {
  const found = findKubectls()
  if (found.length === 0) it.skip(`${subject} (no kubectl on this machine)`, () => {})
  for (const binary of found) {
    describe.concurrent(`${binary.name}: ${subject}`, () => tests(startedBeforeTests(binary, kinds)))
  }
}

function startedBeforeTests(binary: KubectlBinary, kinds: readonly Kind[]): KubectlSuite {
  let started: Kubectl | undefined
  beforeAll(async () => {
    started = await startKubectl(binary, kinds)
  })
  afterAll(() => started?.stop())
  const kubectl = () => {
    if (started === undefined) throw new Error('A test of kubectl began before kubectl was started.')
    return started
  }
  return {
    minor: binary.minor,
    since: (minor, feature) => unless(binary.minor < minor, `${feature} came with kubectl 1.${minor}`),
    before: (minor, feature) => unless(binary.minor >= minor, `${feature} went with kubectl 1.${minor}`),
    run: (...parameters) => kubectl().run(...parameters),
    pipe: (...parameters) => kubectl().pipe(...parameters),
    asAlice: (...parameters) => kubectl().asAlice(...parameters),
    edit: (...parameters) => kubectl().edit(...parameters),
    writeInHome: (name, text) => kubectl().writeInHome(name, text),
    fileInHome: (name) => kubectl().fileInHome(name),
    start: (...parameters) => kubectl().start(...parameters),
  }
}

function unless(isSkipped: boolean, reason: string): Test {
  return isSkipped ? (title, test) => it.skip(`${title} (${reason})`, test) : it
}
