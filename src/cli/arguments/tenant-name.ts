import { Argument, InvalidArgumentError, Option } from 'commander'
import { tenantNameProblem } from '../create/manifests/names.ts'

export function tenantNameArgument(): Argument {
  return new Argument('<name>', 'name of the virtual cluster').argParser((name: string) => {
    const problem = tenantNameProblem(name)
    if (problem === undefined) return name
    throw new InvalidArgumentError(`It cannot be the name of a virtual cluster: ${problem}.`)
  })
}

/** `-n`, for every command that works on the host of a virtual cluster. */
export function hostNamespaceOption(): Option {
  return new Option('-n, --namespace <namespace>', 'its namespace on the host (default: tenant-NAME)')
}

export function defaultNamespace(name: string): string {
  return `tenant-${name}`
}
