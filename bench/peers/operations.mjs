/**
 * The operations that a fault of these requirements can show in: theirs, and those that make, read, list and remove the
 * things that these need. The whole interface would take Schemathesis minutes for each fault.
 */
export function operationsFor(requirements, ledger, binding) {
  const wanted = new Set()
  const resources = [...binding.resources.values()]
  const add = (id) => {
    const operation = binding.operations.get(id)
    if (!operation?.offered || wanted.has(id)) return
    wanted.add(id)
    const text = `${operation.path} ${JSON.stringify(operation.body ?? null)} ${JSON.stringify(operation.query)}`
    for (const resource of resources) {
      // The specified paths call a screen and an exclusion rule by `id` alone.
      const named = text.includes(`{${resource.id}}`) || [resource.create, resource.read, resource.delete].includes(id)
      if (!named) continue
      for (const other of [resource.create, resource.read, resource.list, resource.delete]) {
        if (other !== undefined) add(other)
      }
    }
  }
  for (const requirement of requirements) for (const id of ledger.get(requirement)?.operations ?? []) add(id)
  return [...wanted].sort()
}
