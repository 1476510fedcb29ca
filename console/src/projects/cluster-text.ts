/** The clusters that a project may use. */
export function clusterText(clusters: readonly string[]): string {
  return clusters.includes('*') ? 'all' : clusters.join(', ') || 'none'
}
