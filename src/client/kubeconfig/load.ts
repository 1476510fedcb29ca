import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { type ClusterAccess, KubeconfigError } from './contract.ts'
import { inClusterAccess } from './in-cluster.ts'
import { mergeKubeconfigs, parseKubeconfig } from './parse.ts'
import { readIfThere } from './read-file.ts'
import { type ResolveOptions, resolveContext } from './resolve.ts'

export interface LoadOptions extends ResolveOptions {
  /**
   * Absent: the files in `KUBECONFIG`, else the one in the home directory, else the cluster that this process runs in.
   */
  readonly file?: string | undefined
}

/** Loads the access to a cluster. Throws KubeconfigError, which names the problem and its place. */
export async function loadClusterAccess(options: LoadOptions): Promise<ClusterAccess> {
  const { env, file } = options
  const listed = (env.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '')
  const usual = join(env.HOME || homedir(), '.kube', 'config')
  const paths = file !== undefined ? [file] : listed.length > 0 ? listed : [usual]
  const texts = await Promise.all(paths.map((path) => readIfThere(resolve(path))))
  const configs = texts.flatMap((text, index) =>
    text === undefined ? [] : [parseKubeconfig(text, resolve(paths[index] ?? ''))],
  )
  if (configs.length > 0) return resolveContext(mergeKubeconfigs(configs), options)
  const isAsked = file !== undefined || listed.length > 0
  if (!isAsked && env.KUBERNETES_SERVICE_HOST) return inClusterAccess(options)
  throw new KubeconfigError(`there is no kubeconfig at ${paths.join(', ')}`)
}
