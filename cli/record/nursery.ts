// Imported before everything else: what is loaded first would make the nursery grow, and it does not shrink again.
import { setFlagsFromString } from 'node:v8'

// What forwarding makes is garbage at once: a nursery that never grows costs little time and saves much memory.
if (process.argv[2] === 'record') setFlagsFromString('--semi-space-growth-factor=1')
