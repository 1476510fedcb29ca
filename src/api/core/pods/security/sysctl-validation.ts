import { duplicateField, type FieldError, invalidField, requiredField } from '../../../field-error.ts'
import type { PodSpec, Sysctl } from '../../../types/core-v1.ts'

const longest = 253
const told = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const pattern = new RegExp(`^${told}$`)

/** Kernel settings that belong to a Pod's IPC namespace. */
const ofProcesses: ReadonlySet<string> = new Set([
  ...['kernel.sem', 'kernel.shmall', 'kernel.shmmax', 'kernel.shmmni', 'kernel.shm_rmid_forced', 'kernel.shm'],
  ...['kernel.msgmax', 'kernel.msgmnb', 'kernel.msgmni', 'kernel.msg'],
])

export function validateSysctls(list: string, sysctls: readonly Sysctl[], spec: PodSpec): readonly FieldError[] {
  const seen = new Set<string>()
  return sysctls.flatMap(({ name }, index) => {
    const field = `${list}[${index}].name`
    const found = [...validateName(field, name, seen.has(name)), ...validateSharing(field, name, spec)]
    seen.add(name)
    return found
  })
}

function validateName(field: string, name: string, isTaken: boolean): readonly FieldError[] {
  if (name === '') return [requiredField(field)]
  if (name.length > longest || !pattern.test(name)) {
    return [invalidField(field, name, `must have at most ${longest} characters and match regex ^${told}$`)]
  }
  return isTaken ? [duplicateField(field, name)] : []
}

/** A Pod that shares a namespace with its node would change the node. */
function validateSharing(field: string, name: string, { hostNetwork, hostIPC }: PodSpec): readonly FieldError[] {
  const normal = normalName(name)
  if (hostNetwork === true && normal.startsWith('net.')) {
    return [invalidField(field, name, "may not be specified when 'hostNetwork' is true")]
  }
  if (hostIPC === true && (ofProcesses.has(normal) || normal.startsWith('fs.mqueue.'))) {
    return [invalidField(field, name, "may not be specified when 'hostIPC' is true")]
  }
  return []
}

/** If the first separator is a slash, slashes stand for dots and vice versa. Text after a star is dropped. */
function normalName(name: string): string {
  const swapped = /^[^./]*\//.test(name) ? name.replace(/[./]/g, (separator) => (separator === '.' ? '/' : '.')) : name
  return swapped.split('*', 1)[0] ?? ''
}
