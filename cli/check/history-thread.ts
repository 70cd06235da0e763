// One of the threads that look after the history rules while the main one looks at each exchange.
import { parentPort, workerData } from 'node:worker_threads'
import { type HistoryJob, judgeHistory } from './history.ts'

parentPort?.postMessage(await judgeHistory(workerData as HistoryJob))
