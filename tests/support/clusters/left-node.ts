import { readdirSync, readFileSync } from 'node:fs'

/** The folder of the node that a machine has, as the tool for nodes notes it; undefined without one. */
export function folderOfNode(ownerFile: string): string | undefined {
  const text = readOrEmpty(ownerFile).trim()
  return text === '' ? undefined : text
}

/** Whether a process of the node still runs. If it was killed with all its processes, its note, mounts and rules stay. */
export function isNodeAlive(folder: string, configuration: string): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((id) => {
      const command = readOrEmpty(`/proc/${id}/cmdline`)
      return command.includes(`${folder}/`) || command.includes(configuration)
    })
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Without a node, or ended since the folder was read.
    return ''
  }
}
