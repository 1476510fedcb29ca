import { rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { freePort } from '../network/free-port.ts'
import { patientAgent } from '../network/patient-agent.ts'
import { type Program, startProgram } from '../programs/program.ts'
import type { KubernetesPrograms } from './kubernetes-programs.ts'

const patienceMs = 240_000
const keptOutput = 64 * 1024 * 1024

export interface ServedCluster {
  /** A file, for an administrator. */
  readonly kubeconfig: string
  /** PEM. */
  readonly certificateAuthority: string
}

/** A real kube-controller-manager and kube-scheduler on the API server of another program. */
export interface ControlPlane {
  readonly controllers: Program
  readonly scheduler: Program
  remove(): Promise<void>
}

/** The scheduler requests budgets in a version of the API that is no longer served: it runs without them. */
const schedulerFlags = ['--feature-gates=PodDisruptionBudget=false', '--v=8']

export async function startControlPlane(programs: KubernetesPrograms, cluster: ServedCluster): Promise<ControlPlane> {
  const { controllerManager, scheduler: schedulerProgram } = programs
  if (controllerManager === undefined || schedulerProgram === undefined) {
    throw new Error('there is no kube-controller-manager or no kube-scheduler beside kube-apiserver')
  }
  const folder = await mkdtemp(join(tmpdir(), 'tenant-control-plane-'))
  const authority = join(folder, 'ca.crt')
  writeFileSync(authority, cluster.certificateAuthority)
  const start = async (program: string, flags: readonly string[]) => {
    const port = await freePort()
    const args = [...commonFlags(cluster.kubeconfig, join(folder, String(port)), port), ...flags]
    return { port, running: startProgram({ program, args, keptOutput }) }
  }
  const controllers = await start(controllerManager, [
    `--root-ca-file=${authority}`,
    '--use-service-account-credentials=true',
  ])
  const scheduler = await start(schedulerProgram, schedulerFlags)
  const remove = async () => {
    for (const { running } of [controllers, scheduler]) await running.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await Promise.all([controllers, scheduler].map(({ port, running }) => healthy(running, port)))
  } catch (error) {
    await remove()
    throw error
  }
  return { controllers: controllers.running, scheduler: scheduler.running, remove }
}

/** Port 0 disables plain HTTP. */
function commonFlags(kubeconfig: string, folder: string, port: number): readonly string[] {
  return [
    ...['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'].map((name) => `--${name}=${kubeconfig}`),
    ...['--port=0', '--bind-address=127.0.0.1', `--secure-port=${port}`, `--cert-dir=${folder}`],
    ...['--leader-elect=true', '--leader-elect-resource-lock=leases'],
  ]
}

async function healthy(program: Program, port: number): Promise<void> {
  const dispatcher = patientAgent({ rejectUnauthorized: false })
  const isHealthy = async () => {
    try {
      const { statusCode, body } = await request(`https://127.0.0.1:${port}/healthz`, { dispatcher })
      await body.dump()
      return statusCode === 200
    } catch {
      return false
    }
  }
  await program.until('healthy', isHealthy, patienceMs).finally(() => dispatcher.destroy())
}
