import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import { type LoadedConfig, loadConfigFile } from '../config/load-config.ts'
import { readCredentials } from '../credentials/file.ts'
import { readIssuer } from '../license/read-issuer.ts'
import { say } from '../output/messages.ts'
import { createProgress, type Progress } from '../output/progress.ts'
import { onPlatform, type Session } from '../platform/session.ts'
import { chooseProject } from '../project/project.ts'
import type { Terminal } from '../terminal.ts'
import type { TenantDriver, TenantOrder } from './driver.ts'
import type { CreateOptions } from './options.ts'
import { printManifests } from './print-manifests.ts'
import { runningUp } from './running-up.ts'

export async function createTenant(options: CreateOptions, terminal: Terminal): Promise<void> {
  const loaded = await configOf(options, terminal)
  const issuer = options.issuer === undefined ? undefined : await readIssuer(options.issuer, terminal)
  const checked = issuer === undefined ? options : { ...options, issuer }
  if (options.dryRun) return printManifests({ ...loaded, options: checked }, terminal)
  await withPlatform(options, terminal, async (session) => {
    const project = session && (await chooseProject(options.project, session, terminal))
    const order: TenantOrder = {
      ...loaded,
      options: checked,
      ...(session && project !== undefined && { platform: { session, project } }),
    }
    const driver = await chooseDriver(options, session, terminal)
    await withProgress(terminal, (progress) => driver.create(order, { terminal, progress }))
    tellHowToGoOn(options, project, terminal)
  })
}

async function configOf({ file }: CreateOptions, terminal: Terminal): Promise<LoadedConfig> {
  return file === undefined ? { text: '{}\n', config: effectiveConfig({}) } : loadConfigFile(file, terminal)
}

/** Being logged in is not needed, unless a project or platform is named. */
async function withPlatform(
  options: CreateOptions,
  terminal: Terminal,
  act: (session: Session | undefined) => Promise<void>,
): Promise<void> {
  const isNamed = options.platform !== undefined || options.project !== undefined
  const { current } = await readCredentials(terminal)
  if (!options.link || (current === undefined && !isNamed)) return act(undefined)
  return onPlatform(options, terminal, act)
}

async function chooseDriver(
  options: CreateOptions,
  session: Session | undefined,
  terminal: Terminal,
): Promise<TenantDriver> {
  const isLocal = session !== undefined && (await runningUp(terminal))?.platformUrl === session.platform.url
  const name = options.driver ?? (isLocal ? 'local' : 'kubernetes')
  if (name === 'kubernetes') return (await import('./kubernetes-driver.ts')).kubernetesDriver
  if (session === undefined) throw new Error('the driver local needs a platform: log in to the one that tenant up runs')
  return (await import('./local-driver.ts')).localDriver
}

async function withProgress(terminal: Terminal, act: (progress: Progress) => Promise<void>): Promise<void> {
  const progress = await createProgress(terminal)
  try {
    await act(progress)
  } finally {
    progress.stop()
  }
}

function tellHowToGoOn({ name, wait }: CreateOptions, project: string | undefined, terminal: Terminal): void {
  say(terminal, `${name} is ${wait ? 'ready' : 'on its way'}.`)
  if (project !== undefined) say(terminal, `Connect with: tenant connect ${name} --project ${project}`)
}
