/** A step ends after this many nodes: ending a step costs more than visiting a node. */
const nodesPerStep = 32

let nodes = 0

/** Called once for each visited node. Counts nodes of all objects together, so that none runs longer than the others. */
export function isStepDue(): boolean {
  nodes = (nodes + 1) % nodesPerStep
  return nodes === 0
}
