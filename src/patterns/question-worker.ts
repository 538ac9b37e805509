/** The thread in which questions about patterns are answered, one after the other. */
import { parentPort } from 'node:worker_threads';
import { answerQuestion } from './answer-question.js';
import type { PatternQuestion } from './question.js';

parentPort?.on('message', async (question: PatternQuestion) => {
  parentPort?.postMessage(await answerQuestion(question));
});

// Loading the libraries is not counted against the first question.
await answerQuestion({ kind: 'word', question: { matching: ['^a$'], min: 0 } });
parentPort?.postMessage('ready');
