import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import { jsonText } from '../../base/json/json-text.ts'
import { toYaml } from '../../base/json/to-yaml.ts'
import { type LoadedConfig, loadConfigFile } from '../config/load-config.ts'
import { readIssuer } from '../license/read-issuer.ts'
import { say } from '../output/messages.ts'
import { print } from '../output/print.ts'
import { createProgress, type Progress } from '../output/progress.ts'
import { onPlatformIfKnown, type Session } from '../platform/session.ts'
import { chooseProject, rememberProject } from '../project/project.ts'
import { interruptible } from '../terminal/interruption.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { chooseDriverName, suggestingLocalDriver } from './choose-driver.ts'
import type { TenantDriver, TenantOrder } from './driver.ts'
import { deploymentOf } from './kubernetes-driver.ts'
import { namespaceManifest, tenantManifests } from './manifests/all.ts'
import type { CreateCommandOptions } from './options.ts'
import { nothingResolved } from './resolve-resources.ts'

export async function createTenant(options: CreateCommandOptions, terminal: Terminal): Promise<void> {
  const loaded = await configOf(options, terminal)
  const issuer = options.licenseIssuer === undefined ? undefined : await readIssuer(options.licenseIssuer, terminal)
  const checked = issuer === undefined ? options : { ...options, licenseIssuer: issuer }
  if (options.dryRun) return printManifests({ ...loaded, options: checked }, terminal)
  await withPlatform(options, terminal, async (session) => {
    const project = session && chooseProject(options.project, session)
    const order: TenantOrder = {
      ...loaded,
      options: checked,
      ...(session && project !== undefined && { platform: { session, project } }),
    }
    const driver = await driverFor(options, session, terminal)
    await suggestingLocalDriver({ ...options, session }, terminal, () =>
      interruptible(terminal, (signal) =>
        withProgress(terminal, signal, (progress) => driver.create(order, { terminal, progress, signal })),
      ),
    )
    if (session && project !== undefined) await rememberProject(project, session, terminal)
    tellHowToGoOn(options, project, terminal)
  })
}

async function configOf({ file }: CreateCommandOptions, terminal: Terminal): Promise<LoadedConfig> {
  return file === undefined ? { text: '{}\n', config: effectiveConfig({}) } : loadConfigFile(file, terminal)
}

/** Without a login there is no platform to link to. */
function withPlatform(
  options: CreateCommandOptions,
  terminal: Terminal,
  act: (session: Session | undefined) => Promise<void>,
): Promise<void> {
  return options.link ? onPlatformIfKnown(options, terminal, act) : act(undefined)
}

async function driverFor(
  options: CreateCommandOptions,
  session: Session | undefined,
  terminal: Terminal,
): Promise<TenantDriver> {
  const name = await chooseDriverName(options.driver, session, terminal)
  return name === 'kubernetes'
    ? (await import('./kubernetes-driver.ts')).kubernetesDriver
    : (await import('./local-driver.ts')).localDriver
}

async function withProgress(
  terminal: Terminal,
  signal: AbortSignal,
  act: (progress: Progress) => Promise<void>,
): Promise<void> {
  const progress = await createProgress(terminal, signal)
  try {
    await act(progress)
  } finally {
    progress.stop()
  }
}

function tellHowToGoOn({ name, wait }: CreateCommandOptions, project: string | undefined, terminal: Terminal): void {
  say(terminal, `${name} is ${wait ? 'ready' : 'on its way'}.`)
  if (project !== undefined) say(terminal, `Connect with: tenant connect ${name} --project ${project}`)
}

/** What would be applied, for kubectl or a repository. No key is minted, and no cluster is asked. */
function printManifests(order: TenantOrder, terminal: Terminal): void {
  const deployment = deploymentOf(order, { resources: nothingResolved, ownsNamespace: true })
  const manifests = [namespaceManifest(deployment), ...tenantManifests(deployment)]
  const text =
    order.options.output === 'json'
      ? jsonText({ apiVersion: 'v1', kind: 'List', items: manifests })
      : manifests.map(toYaml).join('---\n')
  print(terminal, text)
}
